import { failure, record, refusal } from './exchange.ts';
import { type FaultKind, parseNumber } from './fault.ts';

/** Faults of tokens. That all of them are refused is `http-401` or `wrapper-1002`. */
export const tokenFaults: readonly FaultKind[] = [
  {
    name: 'token-life',
    syntax: 'SECONDS',
    about: 'tokens expire after SECONDS, and say so',
    create: (value) => ({ tokenLife: parseNumber(value) }),
  },
  {
    name: 'token-uses',
    syntax: 'N',
    about: 'each token is rejected after N requests, before it expires',
    create: (value) => {
      const allowed = parseNumber(value);
      const uses = new Map<string, number>();
      return {
        around: async (call, next) => {
          if (call.token === undefined) return next(call);
          const used = uses.get(call.token) ?? 0;
          uses.set(call.token, used + 1);
          return used < allowed ? next(call) : refusal();
        },
      };
    },
  },
  {
    name: 'scope-missing',
    syntax: '',
    about: 'tokens lack the scope read:merchant:settlement, so access is denied (1001)',
    create: () => ({
      around: async (call, next) => {
        const answer = await next(call);
        const { operation } = call;
        // Which scopes a charge needs is not shown (doc 5.4).
        if (answer.status !== 200 || operation === 'charge') return answer;
        if (operation !== 'token') return failure('1001');
        return { ...answer, body: { ...record(answer.body), scope: 'read:merchant' } };
      },
    }),
  },
  {
    name: 'charge-scheme',
    syntax: 'v1|v2',
    about: 'charges accept only tokens of this scheme',
    create: (value) => {
      if (value !== 'v1' && value !== 'v2') throw new Error(`"${value}" is neither v1 nor v2`);
      return { chargeScheme: value };
    },
  },
];
