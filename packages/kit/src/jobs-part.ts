import type { Contract } from './contract.ts'
import { jobContract } from './job-contract.ts'
import { jobHandlers } from './jobs.ts'
import { definePart } from './part.ts'
import type { Deps } from './service.ts'

/** Part with the calls of `jobContract`, for a service whose parts have jobs. */
export const jobsPart = (service: Pick<Contract, 'service'>) =>
  // oxlint-disable-next-line typescript/no-explicit-any -- jobs use no table of the service
  definePart<Deps<any>>()({
    name: 'jobs',
    contract: jobContract,
    handlers: (deps) => jobHandlers(deps, service),
  })
