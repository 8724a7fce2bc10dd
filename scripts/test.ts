import { partsOfTests, runSteps, steps } from './steps.ts'
import { ensureTestNeeds } from './test-needs.ts'

const firstWord = ({ name }: { name: string }) => name.split(' ')[0] ?? ''
const wanted = process.argv.slice(2)
const known = [...steps, ...partsOfTests]
const names = known.map(firstWord)
const unknown = wanted.filter((word) => !names.includes(word))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no step ${unknown.join(', ')}; the steps are ${names.join(', ')}\n`,
  )
  process.exit(2)
}
ensureTestNeeds()
runSteps(wanted.length === 0 ? steps : known.filter((step) => wanted.includes(firstWord(step))))
