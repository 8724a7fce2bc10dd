import { runSteps, steps } from './steps.ts'

// Everything but the tests: format, lint, style sheets, wording, boundaries, types.
runSteps(
  steps.slice(
    0,
    steps.findIndex(({ name }) => name === 'portal sizes'),
  ),
)
