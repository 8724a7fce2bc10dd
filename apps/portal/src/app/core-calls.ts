import { client } from '@longreach/kit/client'
import { contentPage, defineContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { authorizedFetch } from '../lib/api.ts'

const Organization = z.object({
  id: z.int(),
  resourceId: z.string(),
  name: z.string(),
  label: z.string(),
  dataEnabled: z.boolean(),
  vpnEnabled: z.boolean(),
})

const contract = defineContract({
  service: 'core',
  base: '/svc/core/api/v1',
  errors: {},
  endpoints: {
    loginInfo: {
      method: 'GET',
      path: '/organizations/loginInfo',
      access: 'public',
      query: z.object({ hostname: z.string() }),
      result: z.object({ realmName: z.string() }),
    },
    setupNeeded: {
      method: 'GET',
      path: '/setup',
      access: 'public',
      result: z.object({ needed: z.boolean() }),
    },
    mine: {
      method: 'GET',
      path: '/organizations/mine',
      access: 'signed-in',
      result: z.array(Organization),
    },
    organization: {
      method: 'GET',
      path: '/organizations/:org',
      access: 'member',
      params: z.object({ org: z.string() }),
      result: Organization,
    },
    organizations: {
      method: 'GET',
      path: '/organizations/:org/organizations',
      access: 'member',
      params: z.object({ org: z.string() }),
      query: z.object({
        search: z.string().optional(),
        onlyFirstLevel: z.boolean().optional(),
        page: z.number().optional(),
        pageSize: z.number().optional(),
      }),
      result: contentPage(Organization),
    },
  },
})

/** The calls of core that the shell makes before and around the sections. */
export const core = client(contract, authorizedFetch)
