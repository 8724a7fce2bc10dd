import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

// Prints the calls from service to service, by edge. A call is written in the source of the service.
const root = path.join(import.meta.dirname, '..')
const call =
  /\bclients\s*\.(core|platform|mappings|identity)\s*\.\w+\(|\b(core|platform|mappings|identity)\.\w+\(\{/g
const isTest = /test/
const counts = new Map<string, number>()
for (const file of globSync('services/*/src/**/*.ts', { cwd: root })) {
  const from = file.split(path.sep)[1]
  if (isTest.test(file)) continue
  for (const [, one, other] of readFileSync(path.join(root, file), 'utf8').matchAll(call)) {
    const edge = `${from} → ${one ?? other}`
    counts.set(edge, (counts.get(edge) ?? 0) + 1)
  }
}
for (const [edge, count] of [...counts].toSorted()) process.stdout.write(`${count} ${edge}\n`)
