/**
 * Puts things together that have a member in common, directly or through others. Groups, and the things
 * of each, are in the order in which they come.
 */
export function joined<Thing, Member>(
  things: readonly Thing[],
  membersOf: (thing: Thing) => readonly Member[],
): readonly (readonly Thing[])[] {
  const parents = new Map<Member, Member>();
  const rootOf = (member: Member): Member => {
    let at = member;
    for (let up = parents.get(at); up !== undefined && up !== at; up = parents.get(at)) {
      // Each step halves the way for those who come later.
      const above = parents.get(up) ?? up;
      parents.set(at, above);
      at = above;
    }
    return at;
  };
  for (const thing of things) {
    const [first, ...others] = membersOf(thing);
    if (first === undefined) continue;
    for (const other of others) parents.set(rootOf(other), rootOf(first));
  }
  const groups = new Map<Member, Thing[]>();
  for (const thing of things) {
    const [first] = membersOf(thing);
    if (first === undefined) continue;
    const root = rootOf(first);
    const group = groups.get(root);
    if (group) group.push(thing);
    else groups.set(root, [thing]);
  }
  return [...groups.values()];
}
