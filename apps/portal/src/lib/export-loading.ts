import { needWords } from './spoken-words.ts'

/** The dialog with its words, for `lazy`. */
export async function loadExportDialog() {
  const [dialog] = await Promise.all([import('./ExportDialog.tsx'), needWords('export', 'charts')])
  return { default: dialog.ExportDialog }
}
