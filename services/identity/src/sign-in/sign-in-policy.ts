import { type Context, errors, interactionPolicy } from 'oidc-provider'
import type { IdentityDeps } from '../identity-deps.ts'
import { acrWanted, essentialAcr, organizationWants } from '../factors/second-factor-policy.ts'
import { impersonated } from '../sessions/session-store.ts'
import { isRequiredAction } from './sign-in-rules.ts'

/**
 * When the provider must send the browser to the sign-in pages though somebody is signed in: a second
 * factor is wanted that the session lacks, or the portal asks for an action.
 */
export function signInPolicy(deps: Pick<IdentityDeps, 'clients'>) {
  const policy = interactionPolicy.base()
  // All clients are the installation's own: nobody is asked for consent.
  policy.remove('consent')
  const { checks } = policy.get('login')
  checks.add(
    new interactionPolicy.Check(
      'second_factor',
      'a second factor is required',
      'login_required',
      (ctx) => lacksSecondFactor(deps, ctx),
    ),
  )
  checks.add(
    new interactionPolicy.Check(
      'kc_action',
      'an action of the person is required',
      'interaction_required',
      ({ oidc }) => {
        if (oidc.params?.['kc_action'] === undefined || oidc.result?.['action']) return false
        // Who acts as somebody does not change how that person signs in.
        if (!oidc.session?.amr?.includes(impersonated)) return true
        throw new errors.AccessDenied('not while somebody else acts as this person')
      },
    ),
  )
  return policy
}

async function lacksSecondFactor(deps: Pick<IdentityDeps, 'clients'>, { oidc }: Context) {
  const { session, params = {} } = oidc
  if (session?.accountId === undefined || session.acr === '2') return false
  return acrWanted(params) || organizationWants(deps, session.accountId, params['scope'])
}

/** Parameters beyond OpenID Connect's own, and what is refused of them. */
export const extraParams = {
  kc_locale: undefined,
  kc_idp_hint: undefined,
  /** Why the portal's session ended; anything else than a known reason is not shown. */
  signed_out: undefined,
  kc_action: (_: Context, action: unknown) => {
    if (action === undefined || isRequiredAction(action)) return
    throw new errors.InvalidRequest('kc_action is CONFIGURE_TOTP or UPDATE_PASSWORD')
  },
  /** Levels that nobody can reach would send the browser round for ever. */
  claims: ({ oidc }: Context) => {
    const levels = essentialAcr(oidc.params?.['claims'])
    if (!levels || levels.includes('1') || levels.includes('2')) return
    throw new errors.InvalidRequest('acr is 1 or 2')
  },
}

type Action = { name: string; status: string }

/** How the action ended that the portal asked for, as Keycloak adds it to the answer. */
export function actionAnswer({ oidc }: Context) {
  const action = oidc.result?.['action'] as Action | undefined // as the sign-in pages left it
  return action && { kc_action_status: action.status, kc_action: action.name }
}
