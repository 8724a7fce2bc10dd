import { csvLine, utf8Mark } from '@longreach/kit/csv'

/** Lines of CSV with a mark that makes spreadsheets read UTF-8. */
export const csvSheet = (rows: readonly (readonly (string | number)[])[]) =>
  utf8Mark + rows.map(csvLine).join('')
