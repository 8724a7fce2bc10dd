import { type Context, errors, interactionPolicy } from 'oidc-provider'
import type { IdentityDeps } from '../identity-deps.ts'
import { acrWanted, essentialAcr, organizationWants } from '../factors/second-factor-policy.ts'
import { impersonated } from '../sessions/session-store.ts'
import { isRequiredAction } from './sign-in-rules.ts'

/**
 * Policy of the provider for showing the sign-in pages to a signed-in person: the session lacks a
 * required second factor, or the portal requests an action.
 */
export function signInPolicy(deps: Pick<IdentityDeps, 'clients'>) {
  const policy = interactionPolicy.base()
  // All clients belong to the installation: no consent is needed.
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
        // An administrator who impersonates a person cannot change their credentials.
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

/** Parameters beyond OpenID Connect, with checks that refuse invalid ones. */
export const extraParams = {
  kc_locale: undefined,
  kc_idp_hint: undefined,
  /** Reason for the end of the portal’s last session; an unknown reason is not shown. */
  signed_out: undefined,
  kc_action: (_: Context, action: unknown) => {
    if (action === undefined || isRequiredAction(action)) return
    throw new errors.InvalidRequest('kc_action is CONFIGURE_TOTP or UPDATE_PASSWORD')
  },
  /** An `acr` that cannot be reached would redirect the browser endlessly. */
  claims: ({ oidc }: Context) => {
    const levels = essentialAcr(oidc.params?.['claims'])
    if (!levels || levels.includes('1') || levels.includes('2')) return
    throw new errors.InvalidRequest('acr is 1 or 2')
  },
}

type Action = { name: string; status: string }

/** Status of the action that the portal requested, as Keycloak adds it to the response. */
export function actionAnswer({ oidc }: Context) {
  const action = oidc.result?.['action'] as Action | undefined // as the sign-in pages left it
  return action && { kc_action_status: action.status, kc_action: action.name }
}
