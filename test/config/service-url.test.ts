import { describe, expect, test } from 'vitest';
import { settingTable } from '../../src/config/table.ts';

const given = (text: string) =>
  ({ key: 'base_url', text, origin: 'environment RECON_BASE_URL' }) as const;

describe('the address of the service', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://API.example.com:8443/es/v4//', 'https://api.example.com:8443/es/v4'],
    ['http://localhost:8080/', 'http://localhost:8080'],
    ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
    ['http://127.9.9.9', 'http://127.9.9.9'],
    ['http://[::1]:8080/x', 'http://[::1]:8080/x'],
  ])('%s is used as %s', (text, url) => {
    expect(settingTable.base_url.parse(given(text))).toBe(url);
  });

  test.each([
    ['http://api.example.com', 'https://'],
    ['http://127.0.0.1.example.com', 'https://'],
    ['http://localhost.example.com', 'https://'],
    ['http://128.0.0.1', 'https://'],
    ['ftp://localhost', 'https://'],
    ['api.example.com', 'not a URL'],
    ['localhost:8080', 'not a URL'],
    ['https://', 'not a URL'],
    ['https://user:s3cret@api.example.com', 'user name or password'],
    ['https://s3cret@api.example.com', 'user name or password'],
    ['https://api.example.com/?token=s3cret', 'after ? or #'],
    ['https://api.example.com/#s3cret', 'after ? or #'],
  ])('%s is refused and not repeated', (text, words) => {
    const parsing = () => settingTable.base_url.parse(given(text));
    expect(parsing).toThrow(words);
    expect(parsing).toThrow('base_url');
    expect(parsing).not.toThrow('s3cret');
    expect(parsing).toThrow(
      expect.objectContaining({
        failure: 'configuration',
        where: 'environment RECON_BASE_URL',
        hint: expect.not.stringContaining('s3cret'),
      }),
    );
  });
});
