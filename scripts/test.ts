import { availableParallelism } from 'node:os'
import { runTogether } from './run-together.ts'
import { beforeTests, partsOfTests, runSteps, tests } from './steps.ts'
import { ensureTestNeeds } from './test-needs.ts'

const firstWord = ({ name }: { name: string }) => name.split(' ')[0] ?? ''
const wanted = process.argv.slice(2)
const known = [...beforeTests, tests, ...partsOfTests]
const names = known.map(firstWord)
const unknown = wanted.filter((word) => !names.includes(word))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no step ${unknown.join(', ')}; the steps are ${names.join(', ')}\n`,
  )
  process.exit(2)
}
ensureTestNeeds()
if (wanted.length > 0) runSteps(known.filter((step) => wanted.includes(firstWord(step))))
else {
  // Compiler, linter and the portal's build use about one processor each: with three at once none is idle.
  const failure = await runTogether(beforeTests, { lanes: availableParallelism() + 1 })
  if (failure) {
    process.stdout.write(`\n${failure.name} failed\n`)
    process.exit(failure.code)
  }
  runSteps([tests])
}
