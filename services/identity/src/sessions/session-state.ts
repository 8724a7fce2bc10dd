import { createHash } from 'node:crypto'

/**
 * Cookie that the script of the session-check frame reads. It holds a hash of the session id, which
 * cannot be used as the session.
 */
export const sessionStateCookie = 'KEYCLOAK_SESSION'

export const sessionStateOf = (sid: string) => createHash('sha256').update(sid).digest('base64url')
