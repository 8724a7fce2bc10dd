import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import type { clientEndpoints } from '../clients/client-contract.ts'
import { identityContract } from '../contract.ts'
import type { impersonationEndpoints } from '../impersonation/impersonation-contract.ts'
import { notWithKeycloak } from './keycloak-accounts.ts'
import { type Keycloak, statusOf, userBySub } from './keycloak-admin.ts'
import type { linkEndpoints } from '../links/link-contract.ts'

type All = Handlers<typeof identityContract>
type ClientHandlers = Pick<All, keyof typeof clientEndpoints | keyof typeof impersonationEndpoints>

/** Handlers of the contract that only the embedded service supports. */
export const keycloakClients: ClientHandlers = {
  administrationClient: async () => {
    throw notWithKeycloak()
  },

  impersonate: async () => {
    throw notWithKeycloak()
  },
}

type LinkHandlers = Pick<All, keyof typeof linkEndpoints>
const linkLivesS = 15 * 60

/**
 * Handlers of the contract for links: Keycloak mails those to its own pages and shows them to nobody
 * else.
 */
export const keycloakLinks = (
  keycloak: Keycloak,
): Pick<LinkHandlers, 'oneTimeLink' | 'passwordHash'> => ({
  oneTimeLink: async ({ params: { sub } }, { now }) => {
    const { where } = await userBySub(keycloak, sub)
    await keycloak.admin.users
      .executeActionsEmail({ ...where, actions: ['UPDATE_PASSWORD'], lifespan: linkLivesS })
      .catch((error: unknown) => {
        if (statusOf(error) === undefined) throw error
        const message =
          'Keycloak could not mail the link: it has no mail server, or the person has no e-mail address'
        throw failure(identityContract, 'no_mail_server', { message })
      })
    return { mailed: true, validUntil: new Date(now.getTime() + linkLivesS * 1000) }
  },

  passwordHash: async () => {
    throw notWithKeycloak()
  },
})
