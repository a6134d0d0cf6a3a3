import { ReconError } from '../../../base/errors.ts';
import { groupedBy } from '../../../base/keys.ts';
import type { Secret } from '../../../base/secrets.ts';
import { postNotification } from '../../../nightly/notify.ts';
import { enumerate } from '../../../report/common/phrase.ts';
import { notification } from '../../../report/nightly/notification.ts';
import type { ProfileNight } from '../../../report/nightly/report.ts';
import { isToBeTold } from '../../../report/nightly/words.ts';
import type { Context } from '../../context.ts';
import { tellFailedProfile } from '../../profiles.ts';
import { proxyOf } from '../../proxy.ts';

/** What a line of `--verbose` says of requests to the service, and not of a notification. */
const ofNoService = {
  ...{ method: 'POST', subject: '', requestId: undefined, code: undefined, records: undefined },
};

/** A night, and the address that is to hear of it, if one is set. */
interface ToTell {
  readonly night: ProfileNight;
  readonly address: Secret | undefined;
}

/**
 * Sends what is new to each address, all of its profiles in one document; where nothing is new, nothing
 * is sent. Gives the nights that an address has not taken, and says why.
 */
export async function notifyAll<Night extends ToTell>(
  nights: readonly Night[],
  { host, clock, random, signal, messages }: Context,
): Promise<ReadonlySet<Night>> {
  const refused = new Set<Night>();
  for (const group of groupedBy(nights, ({ address }) => address?.reveal()).values()) {
    const address = group[0]?.address;
    const isNews = group.some(({ night }) => isToBeTold(night));
    if (!address || !isNews) continue;
    try {
      await postNotification(address, notification(group.map(({ night }) => night)), {
        ...{ clock, random, signal, proxy: proxyOf(host), userAgent: `recon/${RECON_VERSION}` },
        heard: (attempt) => messages.observer.request?.({ ...attempt, ...ofNoService }),
      });
    } catch (error) {
      if (!(error instanceof ReconError)) throw error;
      const names = group.flatMap(({ night }) => night.profile ?? []);
      tellFailedProfile({ profile: names.length > 0 ? enumerate(names) : undefined, error }, host);
      for (const one of group) refused.add(one);
    }
  }
  return refused;
}
