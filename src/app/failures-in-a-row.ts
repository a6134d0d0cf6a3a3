/** After so many in a row that can't be read, the rest is not tried: settlements, or charges. */
export const mostFailuresInARow = 5;

/** Why the rest of the settlements wasn't read. */
export const notTried = `not tried, after ${mostFailuresInARow} settlements in a row could not be read`;
