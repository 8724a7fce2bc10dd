import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { queries } from '../queries/part.ts'
import { formulasContract } from './contract.ts'
import { formulaHandlers } from './formula-handlers.ts'

export const formulas = definePart<PlatformDeps>()({
  name: 'formulas',
  contract: formulasContract,
  uses: [devices, queries],
  handlers: () => formulaHandlers(),
})
