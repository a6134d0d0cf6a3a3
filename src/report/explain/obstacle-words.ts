import type { Obstacle } from '../../explain/evidence.ts';
import { daysText } from '../common/day-words.ts';
import { many, withoutStop } from '../common/phrase.ts';

/** Why a cause was not searched for, to follow on what it is. */
export function obstacleText(obstacle: Obstacle): string {
  switch (obstacle.reason) {
    case 'incomplete':
      return 'the rows were not read whole';
    case 'no_neighbours':
      return 'none were looked at';
    case 'no_neighbour_rows':
      return 'their rows were not read';
    case 'missing_days':
      return `the export lacks ${daysText(obstacle.days)}`;
    case 'neighbours_not_read':
      return `they could not be listed: ${withoutStop(obstacle.failure)}`;
    case 'neighbours_uncertain':
      return "it isn't certain that all of them were listed";
    case 'neighbour_rows_not_read': {
      const { unread, neighbours } = obstacle;
      return `the rows of ${unread} of ${many(neighbours, 'settlement')} could not be read`;
    }
    case 'too_many_rows': {
      const { rows, limit, atOnce } = obstacle;
      return atOnce === 1
        ? `it has ${rows} rows, and more than ${limit} are not searched`
        : `${atOnce} at once only up to ${limit} rows, it has ${rows}: among more, some fit by chance`;
    }
    case 'too_many_candidates':
      return `${obstacle.candidates} candidates are too many`;
  }
}
