/** Blanks in front are dropped by spreadsheets, and the wide signs of Japanese keyboards begin formulas too. */
const formula = /^[\s\u200B-\u200D\u2060]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/

/** A text that a spreadsheet would run as a formula gets an apostrophe in front (OWASP, CSV injection). */
export const withoutFormula = (text: string) => (formula.test(text) ? `'${text}` : text)

/** Spreadsheets of many languages part cells at semicolons, whatever the file says. */
const special = /[",;\t\r\n]/

/** A text as a cell of CSV (RFC 4180): harmless, and quoted where a reader could part it. */
export function csvText(text: string) {
  const safe = withoutFormula(text)
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
