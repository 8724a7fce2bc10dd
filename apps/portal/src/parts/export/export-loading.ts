import { needWords } from '../words/spoken-words.ts'

/** The dialog with its words, for `late`. */
export async function loadExportDialog() {
  const [dialog] = await Promise.all([import('./ExportDialog.tsx'), needWords('export', 'charts')])
  return { default: dialog.ExportDialog }
}
