import { ownAccount } from './account-call.ts'
import { labelCredential, removeCredential, showCredentials } from './account-credentials.ts'
import {
  beginPasskey,
  changePassword,
  finishTotp,
  keepPasskey,
  renewCodes,
  startTotp,
} from './account-factors.ts'
import { showProfile, takeProfile } from './account-profile.ts'
import { endOneSession, endSessions, showDevices, showSessions } from './account-sessions.ts'
import type { Call } from '../realms/realm-call.ts'

type Route = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  answer: (call: Call) => unknown,
) => void

/**
 * Routes of the person’s own account: Keycloak’s paths, and paths of this product for passwords and
 * second factors.
 */
export function accountRoutes(route: Route) {
  route('GET', '/account', ownAccount(showProfile))
  route('POST', '/account', ownAccount(takeProfile))
  route('GET', '/account/credentials', ownAccount(showCredentials))
  route('DELETE', '/account/credentials/:id', ownAccount(removeCredential))
  route('PUT', '/account/credentials/:id/label', ownAccount(labelCredential))
  route('GET', '/account/sessions', ownAccount(showSessions))
  route('DELETE', '/account/sessions', ownAccount(endSessions))
  route('GET', '/account/sessions/devices', ownAccount(showDevices))
  route('DELETE', '/account/sessions/:id', ownAccount(endOneSession))
  route('POST', '/account/password', ownAccount(changePassword))
  route('POST', '/account/totp', ownAccount(startTotp))
  route('POST', '/account/totp/confirm', ownAccount(finishTotp))
  route('POST', '/account/recovery-codes', ownAccount(renewCodes))
  route('POST', '/account/passkeys/start', ownAccount(beginPasskey))
  route('POST', '/account/passkeys', ownAccount(keepPasskey))
}
