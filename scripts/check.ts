import { runSteps, steps } from './steps.ts'

// Everything but the tests: format, lint, boundaries, types.
runSteps(steps.slice(0, 4))
