import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { checkedHash, requireAccount } from '../account/account-handlers.ts'
import { localName } from '@longreach/kit/person-name-rules'
import { chooseLanguage } from '../pages/choose-language.ts'
import { identityContract } from '../contract.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import type { linkEndpoints, MailRequest } from './link-contract.ts'
import { oneAddress } from '@longreach/mail/mail-rules'
import { queueMail } from '../mail/queue-mail.ts'
import { findMail, type MailRow, restartMail, searchMails } from '../mail/mail-store.ts'
import { mailText } from '../mail/mail-text.ts'
import { makeOneTimeLink } from '../accounts/one-time-link.ts'

type LinkHandlers = Pick<Handlers<typeof identityContract>, keyof typeof linkEndpoints>

/** Handlers of the contract for one-time links and mails. */
export const linkHandlers = (deps: IdentityDeps): LinkHandlers => ({
  ...passwordLinkHandlers(deps),
  ...mailHandlers(deps),
})

const passwordLinkHandlers = (deps: IdentityDeps) =>
  ({
    oneTimeLink: async ({ params: { sub }, body }) => {
      const account = await requireAccount(deps, sub)
      const language = body.language ?? (await preferredLanguage(deps, sub))
      return makeOneTimeLink(deps, { ...body, account, language: languageFor(language) })
    },

    passwordHash: async ({ body: { username, password } }) => ({
      hash: await checkedHash(password, localName(username, '')),
    }),
  }) satisfies Partial<LinkHandlers>

const mailHandlers = (deps: IdentityDeps) =>
  ({
    mails: async ({ query: { realm, organization, all, ...asked } }) => {
      const { rows, total } = await searchMails(deps.db, { realm, organization, all }, asked)
      const page = toContentPage(rows.map(toMail), total, asked)
      return { ...page, sending: deps.site.mail !== undefined }
    },

    retryMail: async ({ params: { id }, body }) => {
      const mail = await findMail(deps.db, body, id)
      if (!mail) throw failure(identityContract, 'no_such_mail', { id })
      const now = deps.now()
      const dead = mail.valid_until !== null && mail.valid_until <= now
      const again = dead ? undefined : await restartMail(deps.db, id, now)
      if (again) return toMail(again)
      // Another call was first, or the mail is waiting anyway.
      const current = await findMail(deps.db, body, id)
      if (current?.status === 'WAITING') return toMail(current)
      const message = 'The link in this mail has expired. Send a new one.'
      throw failure(identityContract, 'mail_outlived', { id, message })
    },

    sendMail: async ({ body }) =>
      body.kind === 'registration' ? mailRegistration(deps, body) : mailNotice(deps, body),
  }) satisfies Partial<LinkHandlers>

type Registration = Extract<MailRequest, { kind: 'registration' }>

async function mailRegistration(
  deps: IdentityDeps,
  { realm, organization, email, language, label, path, validUntil }: Registration,
) {
  const recipient = oneAddress(email)
  if (!deps.site.mail || recipient === undefined) {
    throw failure(identityContract, 'no_mail_server', { field: 'email' })
  }
  const kind = path === undefined ? 'registered' : 'registration'
  const { origin } = deps.site
  const url = origin + (path ?? `/?realm=${realm}`)
  const values = { origin, url, organization: label }
  const text = mailText(languageFor(language), kind, values)
  await queueMail(deps, text, { realm, organization, kind, recipient, valid_until: validUntil })
  return { mailed: true }
}

type Notice = Exclude<MailRequest, Registration>

/** Path in the portal that the button of a notice opens. */
const pathOf = ({ kind, organization: { resourceId } }: Notice) =>
  kind === 'membershipInvitation'
    ? '/account'
    : `/permission?${new URLSearchParams({ org: resourceId, requests: 'open' })}`

/** Mail a notice about a person and an organization. */
async function mailNotice(deps: IdentityDeps, notice: Notice) {
  const { kind, sub, organization, person } = notice
  const account = await requireAccount(deps, sub)
  const recipient = oneAddress(account.email)
  if (!deps.site.mail || recipient === undefined) return { mailed: false }
  const { origin } = deps.site
  const values = { origin, url: origin + pathOf(notice), organization: organization.label, person }
  const text = mailText(languageFor(await preferredLanguage(deps, sub)), kind, values)
  const mail = { realm: account.realm, organization: organization.resourceId, kind, recipient }
  await queueMail(deps, text, { ...mail, valid_until: null })
  return { mailed: true }
}

const languageFor = (language: string | undefined) =>
  chooseLanguage({ asked: [language], cookie: undefined, acceptLanguage: undefined })

/** Language that a person chose in the portal; undefined when core cannot answer. */
async function preferredLanguage({ clients, log }: IdentityDeps, sub: string) {
  try {
    return (await clients.core.personLanguage({ query: { sub } })).language
  } catch (error) {
    log.warn(error, 'the language of a person is not known; their mail is in English')
    return undefined
  }
}

const toMail = (row: MailRow) => ({
  id: row.id,
  organization: row.organization,
  kind: row.kind,
  recipient: row.recipient,
  status: row.status,
  attempts: row.attempts,
  error: row.error,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  nextAt: row.status === 'WAITING' ? row.next_at : null,
  validUntil: row.valid_until,
})
