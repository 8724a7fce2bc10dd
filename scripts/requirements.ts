import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Row numbers in titles of tests: shown whole as `[C-19]`, or as far as it is built as `[C-19 in part]`. */
async function claimed() {
  const whole = new Set<string>()
  const partly = new Set<string>()
  for await (const file of glob('{packages,services,apps,e2e,scripts}/**/*.{test,e2e}.{ts,tsx}', {
    cwd: root,
    exclude: (name) => name.endsWith('node_modules'),
  })) {
    const text = await readFile(path.join(root, file), 'utf8')
    for (const [, row = '', part] of text.matchAll(/\[([A-Z]-\d\d)( in part)?\]/g)) {
      ;(part === undefined ? whole : partly).add(row)
    }
  }
  return { whole, partly }
}

const text = await readFile(path.join(root, 'docs/requirements.tsv'), 'utf8')
const rows = text
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'))
const { whole, partly } = await claimed()
const open = rows.filter(([id = '']) => !whole.has(id))
for (const [id = '', area, requirement = ''] of open) {
  process.stdout.write(
    `${id}  ${partly.has(id) ? '(in part) ' : ''}${area}: ${requirement.length > 100 ? `${requirement.slice(0, 99)}…` : requirement}\n`,
  )
}
process.stdout.write(
  `\n${rows.length - open.length} of ${rows.length} requirements have a test that claims them; ${open.length} do not.\n`,
)
