import { groupedBy } from '../base/lists.ts';

/** Joins items that share a member, directly or through others, in their order. */
export function joined<Thing, Member>(
  things: readonly Thing[],
  membersOf: (thing: Thing) => readonly Member[],
): readonly (readonly Thing[])[] {
  const parents = new Map<Member, Member>();
  const rootOf = (member: Member): Member => {
    let at = member;
    for (let up = parents.get(at); up !== undefined && up !== at; up = parents.get(at)) {
      // Each step halves the path for later searches.
      const above = parents.get(up) ?? up;
      parents.set(at, above);
      at = above;
    }
    return at;
  };
  const all = things.flatMap((thing) => {
    const members = membersOf(thing);
    return members[0] === undefined ? [] : [{ thing, members, first: members[0] }];
  });
  // Items may share one long list.
  for (const [first, ...others] of new Set(all.map(({ members }) => members))) {
    if (first !== undefined) for (const other of others) parents.set(rootOf(other), rootOf(first));
  }
  const groups = groupedBy(all, ({ first }) => rootOf(first));
  return [...groups.values()].map((group) => group.map(({ thing }) => thing));
}

/** The items of all lists, each once. */
export function united<Member>(lists: readonly (readonly Member[])[]): readonly Member[] {
  return [...new Set([...new Set(lists)].flat())];
}
