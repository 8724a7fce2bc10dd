/** Date that PostgreSQL knows: from 4000 before Christ to the year 9999. */
export const storableDate = (time: number) =>
  new Date(Math.min(Date.UTC(9999, 0, 1), Math.max(Date.UTC(-4000, 0, 1), time)))
