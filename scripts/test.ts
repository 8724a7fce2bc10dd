import { ensureChromium } from './chromium.ts'
import { runSteps, steps } from './steps.ts'

const wanted = process.argv.slice(2)
ensureChromium()
runSteps(
  wanted.length === 0
    ? steps
    : steps.filter(({ name }) => wanted.includes(name.split(' ')[0] ?? '')),
)
