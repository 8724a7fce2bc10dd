import { defineContract } from '@longreach/kit/contract'
import { z } from 'zod'

const resourceId = z.string().min(1).max(500)

/**
 * Calls that identity makes to the service of organizations and people. Identity declares them, and
 * core answers them at these paths, so that identity imports no service.
 */
export const organizationsContract = defineContract({
  service: 'core',
  base: '/svc/core/api/v1',
  errors: {},
  endpoints: {
    /** Organizations for which a person may ask for a scope. */
    memberships: {
      method: 'GET',
      path: '/internal/memberships',
      access: 'service',
      query: z.object({ sub: z.string() }),
      result: z.array(
        z.object({
          id: z.int(),
          resourceId,
          name: z.string(),
          /** Nobody gets a token for it without a second factor. */
          secondFactorRequired: z.boolean().default(false),
        }),
      ),
    },
    /**
     * Permissions to write into a token or ticket for these organizations, as scopes such as
     * `iam.devices.read`; organizations in which the person is no member are left out.
     */
    ticketPermissions: {
      method: 'POST',
      path: '/internal/ticket-permissions',
      access: 'service',
      reads: true,
      body: z.object({
        sub: z.string(),
        organizations: z.array(resourceId).max(100),
        /** A second factor was used, or is not needed; where it is and was not, there is nothing. */
        strong: z.boolean().default(true),
      }),
      result: z.array(
        z.object({
          rsid: z.string(),
          rsname: resourceId,
          scopes: z.array(z.string()),
          /** Names of the roles that count there. */
          roles: z.array(z.string()).default([]),
        }),
      ),
    },
    /** Labels before the installation's own host at which organizations of the realm are. */
    realmHosts: {
      method: 'GET',
      path: '/internal/realm-hosts',
      access: 'service',
      query: z.object({ realm: z.string() }),
      result: z.array(z.string()),
    },
    /** Language that a person has chosen; absent: none. */
    personLanguage: {
      method: 'GET',
      path: '/internal/language',
      access: 'service',
      query: z.object({ sub: z.string() }),
      result: z.object({ language: z.string().optional() }),
    },
  },
})

/** Topics of core's events, one of which tells of every change of who may do what in which organization. */
export const rightsTopics = [
  'core.permissions_changed',
  'core.organization_deleted',
  'core.organization_restored',
  'core.organization_purged',
  'core.device_groups_changed',
]
