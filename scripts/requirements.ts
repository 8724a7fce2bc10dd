import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Row numbers that some test's title claims, as `[C-19]`. */
async function claimed() {
  const rows = new Set<string>()
  for await (const file of glob('{packages,services,apps,e2e,scripts}/**/*.{test,e2e}.{ts,tsx}', {
    cwd: root,
    exclude: (name) => name.endsWith('node_modules'),
  })) {
    const text = await readFile(path.join(root, file), 'utf8')
    for (const [, row = ''] of text.matchAll(/\[([A-Z]-\d\d)\]/g)) rows.add(row)
  }
  return rows
}

const text = await readFile(path.join(root, 'docs/requirements.tsv'), 'utf8')
const rows = text
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'))
const shown = await claimed()
const open = rows.filter(([id = '']) => !shown.has(id))
for (const [id, area, requirement = ''] of open) {
  process.stdout.write(
    `${id}  ${area}: ${requirement.length > 100 ? `${requirement.slice(0, 99)}…` : requirement}\n`,
  )
}
process.stdout.write(
  `\n${rows.length - open.length} of ${rows.length} requirements have a test that claims them; ${open.length} do not.\n`,
)
