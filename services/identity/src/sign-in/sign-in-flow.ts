import { errors, type Interaction } from 'oidc-provider'
import { accountBySub, type StoredAccount } from '../accounts/account-store.ts'
import { passkeysOf } from '../factors/passkey.ts'
import { pinToIssuer } from '../realms/provider-request.ts'
import { realmPath, type Call } from '../realms/realm-call.ts'
import { acrWanted, organizationWants } from '../factors/second-factor-policy.ts'
import { epochS, findSession, impersonated } from '../sessions/session-store.ts'
import { findFlow, type Flow, saveFlow } from './sign-in-flow-store.ts'
import {
  acrOf,
  freshForS,
  isRequiredAction,
  nextStage,
  type Progress,
  type Stage,
} from './sign-in-rules.ts'

/** Sign-in in progress: the request of the client, the completed steps and the step that is due. */
export type SignInState = {
  interaction: Interaction
  flow: Flow
  account: StoredAccount | undefined
  factors: { app: boolean; passkey: boolean }
  progress: Progress
  stage: Stage
}

/** Outcome of a step: the state after it, or a page of its own. */
export type StepOutcome = { state: SignInState } | { answer: unknown }

/** Sign-in of this address and browser; undefined when it expired or belongs to another browser. */
export async function signInState(call: Call): Promise<SignInState | undefined> {
  const interaction = await interactionOf(call)
  if (!interaction) return undefined
  const { deps, realm } = call
  const kept = await findFlow(deps.db, realm.name, interaction.uid)
  return stateWith(call, interaction, kept ?? (await firstFlow(call, interaction)))
}

/** Save changes of a sign-in and answer the state with the step that is due next. */
export async function advance(call: Call, state: SignInState, changes: Partial<Flow>) {
  const { interaction } = state
  const flow = { ...state.flow, ...changes }
  await saveFlow(call.deps.db, flow, new Date(interaction.exp * 1000))
  return stateWith(call, interaction, flow)
}

/** Holder of pending secrets and challenges of this sign-in. */
export const flowHolder = ({ flow }: SignInState) => `flow:${flow.uid}`

/** Path of the page, without its language. */
export const addressOf = ({ realm }: Call, { interaction }: SignInState) =>
  realmPath(realm, `/login-actions/authenticate/${interaction.uid}`)

async function stateWith(call: Call, interaction: Interaction, flow: Flow): Promise<SignInState> {
  const { deps, realm } = call
  const { params } = interaction
  const found = flow.sub === null ? undefined : await accountBySub(deps.db, flow.sub)
  const account = found?.enabled && found.realm === realm.name ? found : undefined
  const factors = account ? await factorsOf(deps.db, account.sub) : { app: false, passkey: false }
  const wanted =
    account !== undefined &&
    (acrWanted(params) || (await organizationWants(deps, account.sub, params['scope'])))
  const asked = params['kc_action']
  const progress: Progress = {
    known: account !== undefined,
    strong: acrOf(flow.amr) === '2',
    hasFactor: factors.app || factors.passkey,
    strengthWanted: wanted,
    requiredActions: account?.requiredActions ?? [],
    askedAction: isRequiredAction(asked) ? asked : undefined,
    done: flow.done,
  }
  return { interaction, flow, account, factors, progress, stage: nextStage(progress) }
}

async function factorsOf(db: Call['deps']['db'], sub: string) {
  const app = await db
    .selectFrom('authenticator_app')
    .select('id')
    .where('sub', '=', sub)
    .limit(1)
    .executeTakeFirst()
  return { app: app !== undefined, passkey: (await passkeysOf(db, sub)).length > 0 }
}

const wantPassword = new Set([
  'login_prompt',
  'no_session',
  'max_age',
  'id_token_hint',
  'claims_id_token_sub_value',
])

/**
 * First state of a sign-in: without a person, or with the signed-in one when the request only needs more
 * from them. A change of credentials needs a recent sign-in.
 */
async function firstFlow({ deps, realm }: Call, interaction: Interaction): Promise<Flow> {
  const { uid, session, params, prompt } = interaction
  const nobody: Flow = {
    uid,
    realm: realm.name,
    sub: null,
    amr: [],
    authenticated_at: null,
    done: [],
    action_status: null,
  }
  if (!session || prompt.reasons.some((reason) => wantPassword.has(reason))) return nobody
  const found = await findSession(deps.db, realm.name, session.uid)
  const since = found?.loginTs ?? 0
  if (!found || found.accountId !== session.accountId) return nobody
  if (params['kc_action'] !== undefined && epochS() - since > freshForS) return nobody
  const amr = found.amr ?? ['pwd']
  // An administrator who impersonates a person cannot prove a factor or set one up for them.
  if (amr.includes(impersonated)) return nobody
  return { ...nobody, sub: session.accountId, amr, authenticated_at: new Date(since * 1000) }
}

/** Interaction that the cookie of the browser and the address both name. */
async function interactionOf({ request, reply, realm }: Call): Promise<Interaction | undefined> {
  const { uid } = request.params as { uid: string }
  const path = request.url.slice(new URL(realm.issuer).pathname.length)
  try {
    const found = await realm.provider.interactionDetails(
      pinToIssuer(request, realm, path),
      reply.raw,
    )
    return found.uid === uid ? found : undefined
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined
    throw error
  }
}
