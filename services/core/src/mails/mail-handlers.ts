import { AppError, failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import type { mailEndpoints } from './mail-contract.ts'

type MailHandlers = Pick<Handlers<typeof coreContract>, keyof typeof mailEndpoints>

/** Identity keeps the mails; here is who may see which. */
export const mailHandlers = ({ clients }: CoreDeps): MailHandlers => ({
  mails: async ({ query }, ctx) => clients.identity.mails({ query: { ...query, ...whose(ctx) } }),

  retryMail: async ({ params: { mail } }, ctx) => {
    try {
      return await clients.identity.retryMail({ params: { id: mail }, body: whose(ctx) })
    } catch (error) {
      throw inOwnWords(error, mail)
    }
  },
})

const whose = ({ organization: { resourceId, realm } }: OrgCtx) => ({
  realm,
  organization: resourceId,
  all: !resourceId.includes('.'),
})

function inOwnWords(error: unknown, mail: number) {
  if (!(error instanceof AppError)) return error
  if (error.code === 'identity.no_such_mail') {
    return failure(coreContract, 'not_found', { message: `There is no mail ${mail} here` })
  }
  return error.code === 'identity.mail_outlived'
    ? failure(coreContract, 'mail_outlived', error.details)
    : error
}
