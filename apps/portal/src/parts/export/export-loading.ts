import { late } from '@longreach/ui/late'
import { withWords } from '../words/spoken-words.ts'

/** Dialog of an export of values, with its words. */
export const LateExportDialog = late(
  () => withWords(import('./ExportDialog.tsx'), 'export', 'charts'),
  'ExportDialog',
)
