import { type Identity, redirectUri, scopeNow } from './identity.ts'
import { type Ending, signInAddress } from './session-end.ts'
import { takeAnswer } from './sign-in-window.ts'
import { identityLimitMs, inTime } from '../../parts/api/timeouts.ts'

type Wanted = { ending: Ending; username: string }
type Outcome = { done: () => void; failed: (cause: unknown) => void }

/**
 * A sign-in in a window beside this page, which stays as it is: the window hands over identity's answer,
 * and the adapter goes on with the new session. Returns the window's address and how to stop waiting.
 */
export async function signInBeside(identity: Identity, wanted: Wanted, { done, failed }: Outcome) {
  const { verifier, challenge } = await proofKey()
  const options = { redirectUri: redirectUri(), ...scopeNow(identity.place) }
  const address = await signInAddress(identity, wanted, options)
  address.searchParams.set('code_challenge', challenge)
  address.searchParams.set('code_challenge_method', 'S256')
  const asked = address.searchParams
  const stop = takeAnswer(asked.get('state') ?? '', (answer) => {
    const code = answer.get('code') ?? ''
    goOn(identity, { code, verifier, nonce: asked.get('nonce') }).then(done, failed)
  })
  return { address: address.href, stop }
}

type Proof = { code: string; verifier: string; nonce: string | null }

/** Exchange the code for tokens; the adapter takes the new session by a refresh of its own. */
async function goOn({ keycloak, place }: Identity, { code, verifier, nonce }: Proof) {
  const at = `${place.url}/realms/${encodeURIComponent(place.realm)}/protocol/openid-connect/token`
  const answer = await fetch(at, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: keycloak.clientId ?? '',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri(),
    }),
    signal: AbortSignal.timeout(identityLimitMs),
  })
  if (!answer.ok) throw new Error(`The code was not exchanged: ${answer.status}`)
  const tokens = (await answer.json()) as { refresh_token: string; id_token: string } // as OpenID Connect says
  if (nonceIn(tokens.id_token) !== nonce) throw new Error('Invalid nonce.')
  keycloak.refreshToken = tokens.refresh_token
  await inTime(keycloak.updateToken(-1))
}

const nonceIn = (token: string): unknown => {
  const [, claims = ''] = token.split('.')
  const bytes = Uint8Array.from(atob(claims.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
    one.charCodeAt(0),
  )
  return (JSON.parse(new TextDecoder().decode(bytes)) as { nonce?: unknown }).nonce
}

/** Verifier and challenge (PKCE) that prove at the exchange that this page requested the code. */
async function proofKey() {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return { verifier, challenge: base64url(new Uint8Array(digest)) }
}

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
