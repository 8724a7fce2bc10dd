import { randomBytes } from 'node:crypto'
import { AppError, failure } from '@longreach/kit/errors'
import { networkOf } from '@longreach/kit/network-of'
import type { CallerCtx, Handlers } from '@longreach/kit/service'
import { agreementsService } from '../agreements/agreement-contract.ts'
import { currentOf, toAgreement } from '../agreements/agreement-handlers.ts'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { toOrganization } from '../organizations/organization-rules.ts'
import type { OrganizationRow } from '../organizations/organization-store.ts'
import type { onboardingEndpoints, Registration } from './onboarding-contract.ts'
import {
  registrationClosed,
  type Content,
  makeRegisteredOrganization,
  checkNameFree,
} from './onboarding-making.ts'
import { confirmableMs, normalizeEmail, unmetAgreements } from './onboarding-rules.ts'
import {
  claimRegistration,
  countRegistration,
  findInstallationRoot,
  findParent,
  isNameKnown,
  saveRegistration,
  releaseRegistration,
  redeemRegistration,
} from './onboarding-store.ts'

type OnboardingHandlers = Pick<Handlers<typeof coreContract>, keyof typeof onboardingEndpoints>
const label = 'core/registration'

export const onboardingHandlers = (deps: CoreDeps): OnboardingHandlers => ({
  onboarding: async (_, { now }) => {
    const mail = deps.site.mail !== undefined
    const place = await registrationPlace(deps)
    if (!place) return { open: false, mail, parent: null, agreements: [] }
    const asked = { serviceName: agreementsService, now }
    const agreements = await currentOf(deps.db, place.root.realm, asked)
    const parent = place.parent?.label ?? null
    return { open: true, mail, parent, agreements: agreements.map(toAgreement) }
  },

  selfOnBoarding: async ({ query, body }, ctx) => {
    const place = await requirePlace(deps)
    const serviceName = query.agreementsServiceName ?? query.serviceName ?? agreementsService
    const { email } = body.user
    const username = usernameIn(deps, body)
    const id = await limitRegistrations(deps, email, ctx)
    await checkAcceptances(deps, place, { body, serviceName, now: ctx.now })
    await checkNameFree(deps, body.organization.name, place.parent)
    const passwordHash = await hashed(deps, username, body.user.password)
    const content = toRegistrationContent(body, { username, passwordHash, ip: ctx.ip })
    if (deps.site.mail) return confirmFirst(deps, place, { id, content, body, ctx })
    const row = await makeRegisteredOrganization(deps, {
      content,
      parent: place.parent,
      ctx,
      emailVerified: false,
      first: async () => undefined,
    })
    return { confirmation: false, realmName: row.realm, organization: toOrganization(row) }
  },

  confirmOnBoarding: async ({ body: { token, name } }, ctx) => {
    const { parent } = await requirePlace(deps)
    const found = await claimRegistration(deps.db, registrationFingerprint(deps, token), ctx.now)
    if (!found || found.content === null) throw registrationGone()
    const { id } = found
    try {
      const kept = JSON.parse(deps.secrets.open(label, found.content).toString()) as Content // sealed below
      const content = name === undefined ? kept : { ...kept, name }
      const first = async (tx: CoreDeps['db']) => {
        if (!(await redeemRegistration(tx, id))) throw registrationGone()
      }
      const row = await makeRegisteredOrganization(deps, {
        content,
        parent,
        ctx,
        emailVerified: true,
        first,
      })
      return { confirmation: false, realmName: row.realm, organization: toOrganization(row) }
    } finally {
      // Nothing is left of one that was made; one that was not may be tried again.
      await releaseRegistration(deps.db, id)
    }
  },
})

type Place = { root: OrganizationRow; parent: OrganizationRow | undefined }

/** Organization below which registered organizations are made; undefined where people cannot register. */
async function registrationPlace({ db, site }: CoreDeps): Promise<Place | undefined> {
  if (!site.registration) return undefined
  const { parent: resourceId } = site.registration
  if (resourceId === undefined) {
    const root = await findInstallationRoot(db)
    return root && { root, parent: undefined }
  }
  const parent = await findParent(db, resourceId)
  // People share a realm there: who has an account may only be told by mail.
  return parent && site.mail ? { root: parent, parent } : undefined
}

async function requirePlace(deps: CoreDeps) {
  const place = await registrationPlace(deps)
  if (!place) throw registrationClosed()
  return place
}

/** User name of a registration: the address where mail is sent, so that no error tells which user names exist. */
function usernameIn({ site }: CoreDeps, { user: { username, email } }: Registration) {
  if (site.mail && email === '') throw needed('user.email', 'an e-mail address')
  if (site.mail) return email
  if (username === undefined) throw needed('user.username', 'a user name')
  return username
}

const needed = (field: string, what: string) =>
  failure(coreContract, 'registration_incomplete', { field, message: `Give ${what}` })

async function limitRegistrations(
  { db, secrets }: CoreDeps,
  email: string,
  { ip, now }: CallerCtx,
) {
  const address = email && secrets.fingerprint('core/registration-address', normalizeEmail(email))
  const id = await countRegistration(db, { address, network: networkOf(ip), now })
  if (id !== undefined) return id
  const message = 'Too many registrations from here; try again in an hour'
  throw failure(coreContract, 'too_many_attempts', { retryAfterS: 3600, message })
}

type Accepting = { body: Registration; serviceName: string; now: Date }

async function checkAcceptances({ db }: CoreDeps, { root }: Place, asked: Accepting) {
  const current = await currentOf(db, root.realm, asked)
  const { missing, unknown } = unmetAgreements(current, asked.body.agreements)
  if (unknown.length > 0) {
    const message = 'There is a newer version of what you accepted; read it and accept it'
    throw failure(coreContract, 'agreement_outdated', { field: 'agreements', message })
  }
  if (missing.length === 0) return
  const names = missing.map((one) => one.default_name).join(', ')
  const message = `To register, accept: ${names}`
  throw failure(coreContract, 'agreements_missing', { field: 'agreements', names, message })
}

async function hashed({ clients }: CoreDeps, username: string, password: string) {
  try {
    return (await clients.identity.passwordHash({ body: { username, password } })).hash
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'identity.password_refused') throw error
    throw failure(coreContract, 'password_refused', { ...error.details, field: 'user.password' })
  }
}

const toRegistrationContent = (
  { organization, user: { email, firstName, lastName }, agreements }: Registration,
  more: Pick<Content, 'username' | 'passwordHash' | 'ip'>,
): Content => ({
  name: organization.name,
  label: organization.label ?? organization.name,
  email,
  firstName,
  lastName,
  agreements: [...new Set(agreements)],
  ...more,
})

type Waiting = { id: number; content: Content; body: Registration; ctx: CallerCtx }

/** Keep it and mail the link. An address that has an account gets word of that, and nobody else does. */
async function confirmFirst(deps: CoreDeps, { root, parent }: Place, waiting: Waiting) {
  const { id, content, body, ctx } = waiting
  const known = parent !== undefined && (await isNameKnown(deps.db, parent.realm, content.email))
  const token = randomBytes(32).toString('base64url')
  const sealed = deps.secrets.seal(label, JSON.stringify(content))
  await saveRegistration(deps.db, id, {
    fingerprint: registrationFingerprint(deps, token),
    content: sealed,
  })
  await deps.clients.identity.sendMail({
    body: {
      kind: 'registration',
      realm: root.realm,
      organization: root.resource_id,
      email: content.email,
      language: body.language,
      label: content.label,
      // After the `#`, so that it reaches no server's log and no other site.
      ...(!known && { path: `/register#confirm=${token}` }),
      validUntil: new Date(ctx.now.getTime() + confirmableMs),
    },
  })
  return { confirmation: true }
}

const registrationFingerprint = ({ secrets }: CoreDeps, token: string) =>
  secrets.fingerprint('core/registration', token)

const registrationGone = () =>
  failure(coreContract, 'registration_gone', {
    message: 'This link was used already or is older than 24 hours; register again',
  })
