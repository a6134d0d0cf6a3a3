import { crc32 } from 'node:zlib';
import { Inflate } from 'fflate';
import { ReconError } from './errors.ts';
import type { Reader } from './text-reader.ts';

/** The limits of an archive: a small one may unpack to any size. */
const limits = { files: 5_000, bytes: 2 ** 30 };

/** Bytes that are unpacked at once; they may become a thousand times as many. */
const stepBytes = 16_384;

/** A file in an archive, as announced by the directory at its end. */
export interface ArchiveMember {
  readonly name: string;
  readonly isPacked: boolean;
  readonly crc: number;
  readonly size: number;
  readonly content: Uint8Array;
  /** Whether it is as announced, in a method that can be unpacked. */
  readonly isSound: boolean;
}

/** Whether a file that begins with these bytes is a zip archive. */
export function isArchive(beginning: Uint8Array): boolean {
  const [first, second, third, fourth] = beginning;
  return first === 0x50 && second === 0x4b && third === 3 && fourth === 4;
}

/**
 * Hands on the files of a zip archive, without folders and hidden files. Throws ReconError `usage` if it is
 * damaged, or too large.
 */
export function archiveReader(
  file: string,
  take: (members: readonly ArchiveMember[]) => void,
  limit = limits,
): Reader<Uint8Array> {
  const blocks: Uint8Array[] = [];
  return {
    // The caller reuses the block.
    push: (block) => blocks.push(Buffer.from(block)),
    end: () => {
      const all = membersIn(file, Buffer.concat(blocks.splice(0)));
      const members = all.filter(({ name }) => !/(^|\/)(\.|__MACOSX\/)|\/$/.test(name));
      const bytes = members.reduce((sum, { size }) => sum + size, 0);
      if (members.length > limit.files || bytes > limit.bytes) throw tooLarge(file);
      take(members);
    },
  };
}

/** Reads a file of an archive; false if it is not as announced, and then nothing is read. */
export function readMember(member: ArchiveMember, readerOf: () => Reader<Uint8Array>): boolean {
  // Unpacked twice, so nothing is read from a damaged file.
  if (!unpack(member, () => {})) return false;
  const reader = readerOf();
  unpack(member, (piece) => reader.push(piece));
  reader.end();
  return true;
}

function membersIn(where: string, archive: Buffer): readonly ArchiveMember[] {
  try {
    return membersOf(archive);
  } catch (reason) {
    const hint = 'Download it again.';
    throw new ReconError('usage', 'The archive is damaged.', { where, hint, reason });
  }
}

/** Reads the directory of an archive (APPNOTE 4.3.7, 4.3.12, 4.3.16). */
function membersOf(archive: Buffer): readonly ArchiveMember[] {
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0) throw new RangeError('No directory');
  const count = archive.readUInt16LE(end + 10);
  const start = archive.readUInt32LE(end + 16);
  let at = start;
  const members = Array.from({ length: count }, () => {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new RangeError('No member here');
    const [flags, method] = [archive.readUInt16LE(at + 8), archive.readUInt16LE(at + 10)];
    const name = archive.subarray(at + 46, at + 46 + archive.readUInt16LE(at + 28));
    const more = at + 46 + name.length;
    const sizes = [archive.readUInt32LE(at + 24), archive.readUInt32LE(at + 20)];
    const large = largeSizes(archive.subarray(more, more + archive.readUInt16LE(at + 30)));
    const areLarge = sizes.every((one) => one === in64Bits) && large.length > 0;
    const [size = 0, packed = 0] = areLarge ? large : sizes;
    const own = archive.readUInt32LE(at + 42);
    const sums = archive.subarray(at + 16, at + 28);
    const begin = own + 30 + archive.readUInt16LE(own + 26) + archive.readUInt16LE(own + 28);
    const content = archive.subarray(begin, begin + packed);
    // The local header may leave out sizes that follow the content, or are in a field for 64 bits.
    const isAlike =
      (flags & 8) !== 0 ||
      archive.readUInt32LE(own + 22) === in64Bits ||
      sums.equals(archive.subarray(own + 14, own + 26));
    const isKnown = (flags & 1) === 0 && (method === 0 || method === 8);
    at += 46 + name.length + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    return {
      name: name.toString((flags & 0x800) === 0 ? 'latin1' : 'utf8'),
      isPacked: method === 8,
      crc: sums.readUInt32LE(0),
      size,
      content,
      isSound: isAlike && isKnown && content.length === packed,
    };
  });
  if (at !== start + archive.readUInt32LE(end + 12)) throw new RangeError('More members');
  return members;
}

/** Unpacks a member in pieces. Returns whether it is as announced. */
function unpack(
  { isPacked, content, size, crc, isSound }: ArchiveMember,
  take: (piece: Uint8Array) => void,
): boolean {
  const unpacked: Uint8Array[] = [];
  const inflate = new Inflate((data) => unpacked.push(data));
  let left = size;
  let sum = 0;
  for (let start = 0; isSound && (start === 0 || start < content.length); start += stepBytes) {
    const step = content.subarray(start, start + stepBytes);
    try {
      if (isPacked) inflate.push(step, start + stepBytes >= content.length);
      else unpacked.push(step);
    } catch {
      return false;
    }
    for (const piece of unpacked.splice(0)) {
      left -= piece.length;
      if (left < 0) return false;
      sum = crc32(piece, sum);
      take(piece);
    }
  }
  return isSound && left === 0 && sum === crc;
}

/** Marks a size that is in a field for 64 bits (APPNOTE 4.5.3). */
const in64Bits = 0xffffffff;

function largeSizes(extra: Buffer): readonly number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    return [4, 12].map((start) => Number(extra.readBigUInt64LE(at + start)));
  }
  return [];
}

function tooLarge(where: string): ReconError {
  const message = `The archive has more than ${limits.files} files or more than 1 GiB of content.`;
  return new ReconError('usage', message, { where, hint: 'Unpack it, and name the files.' });
}
