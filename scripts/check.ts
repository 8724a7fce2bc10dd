import { runSteps, steps } from './steps.ts'

// Everything but the tests: format, lint, style sheets, boundaries, types.
runSteps(steps.slice(0, 5))
