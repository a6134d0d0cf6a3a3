/** After so many settlements in a row that can't be read, the rest is not tried. */
export const mostFailuresInARow = 5;

/** Why the rest wasn't read. */
export const notTried = `not tried, after ${mostFailuresInARow} settlements in a row could not be read`;
