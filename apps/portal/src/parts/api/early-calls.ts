import type { coreContract } from '@longreach/core/contract'
import type { Input, Result } from '@longreach/kit/contract'
import type { Sent } from '@longreach/kit/url-of'
import { answerTo } from './answer.ts'

type Endpoints = typeof coreContract.endpoints
type Place<K extends keyof Endpoints> = {
  method: Endpoints[K]['method']
  path: Endpoints[K]['path']
}
type Options = { signal?: AbortSignal }
type Calls = {
  [K in keyof typeof places]: (
    input: Input<Endpoints[K]>,
    options?: Options,
  ) => Promise<Result<Endpoints[K]>>
}

// Typed by the contract, so that they cannot drift from it; without its schemas at run time, which
// would be a quarter of what the sign-in page loads.
const base: typeof coreContract.base = '/svc/core/api/v1'
const places = {
  loginInfo: { method: 'GET', path: '/organizations/loginInfo' },
  mine: { method: 'GET', path: '/organizations/mine' },
  organization: { method: 'GET', path: '/organizations/:org' },
  organizations: { method: 'GET', path: '/organizations/:org/organizations' },
  setupNeeded: { method: 'GET', path: '/setup' },
  setup: { method: 'POST', path: '/setup' },
  onboarding: { method: 'GET', path: '/onboarding' },
  selfOnBoarding: { method: 'POST', path: '/organizations/selfOnBoarding' },
  confirmOnBoarding: { method: 'POST', path: '/onboarding/confirm' },
  agreementsLast: { method: 'GET', path: '/agreements/last' },
  userPreferences: { method: 'GET', path: '/organizations/:org/userPreferences' },
  setUserPreference: { method: 'POST', path: '/organizations/:org/userPreferences' },
  property: { method: 'GET', path: '/users/:user/services/:service/properties/:property' },
  requestAccess: { method: 'POST', path: '/accessRequests' },
  myInvitations: { method: 'GET', path: '/invitations' },
  acceptInvitation: { method: 'POST', path: '/invitations/:invitation/accept' },
  declineInvitation: { method: 'POST', path: '/invitations/:invitation/decline' },
  acceptAgreements: { method: 'POST', path: '/agreements/accept' },
} as const satisfies { [K in keyof Endpoints]?: Place<K> }

/** Calls of core that are made before the contracts are loaded. */
export const earlyCalls = Object.fromEntries(
  Object.entries(places).map(([name, place]) => [
    name,
    (input: Sent, options?: Options) => answerTo({ base }, place, input, options),
  ]),
) as unknown as Calls // one function for each place
