import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

// Prints the calls from service to service, by edge, and the calls that the contracts open to services alone.
// A call is written in the source of the service.
const root = path.join(import.meta.dirname, '..')
const call =
  /\bclients\s*\.(core|platform|mappings|identity)\s*\.\w+\(|\b(core|platform|mappings|identity)\s*\.\w+\(\{/g
const forServices = /access: 'service'/g
const isTest = /test/
const counts = new Map<string, number>()
const contracts = new Map<string, number>()
const add = (to: Map<string, number>, key: string, count = 1) =>
  to.set(key, (to.get(key) ?? 0) + count)
for (const file of globSync('services/*/src/**/*.ts', { cwd: root })) {
  const from = file.split(path.sep)[1] ?? ''
  if (isTest.test(file)) continue
  const text = readFileSync(path.join(root, file), 'utf8')
  for (const [, one, other] of text.matchAll(call)) add(counts, `${from} → ${one ?? other}`)
  if (file.endsWith('contract.ts')) add(contracts, from, [...text.matchAll(forServices)].length)
}
const print = (title: string, all: Map<string, number>) => {
  const sum = [...all.values()].reduce((total, count) => total + count, 0)
  const lines = [...all].toSorted().filter(([, count]) => count > 0)
  process.stdout.write(`${sum} ${title}\n`)
  for (const [key, count] of lines) process.stdout.write(`  ${count} ${key}\n`)
}
print('calls from service to service', counts)
print('calls in contracts that are open to services alone', contracts)
