import { Change } from '@longreach/board/change'
import { dataPage, definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, inOrganization, ms } from '../asked-contract.ts'

/** Name of a version; `DRAFT` and `LATEST` have a meaning of their own. */
const versionName = z
  .string()
  .regex(/^[A-Za-z0-9._ -]{1,60}$/)
  .refine((name) => !['DRAFT', 'LATEST'].includes(name.toUpperCase()), 'is a name with a meaning')

/** Version on the wire: DRAFT is listed as one that is saved by itself. */
export const Version = z.object({
  name: z.string(),
  description: z.string(),
  creationDate: ms,
  updatedAt: ms,
  owner: z.string(),
  autosave: z.boolean().optional(),
  longreach: z.object({
    /** Readers see it. */
    isCurrent: z.boolean(),
    derivedFrom: z.string().nullable(),
  }),
})
export type Version = z.output<typeof Version>

const ofVersion = byId.extend({ version: z.string().max(60) })
const named = z.object({
  name: versionName.nullish(),
  description: z.string().max(2_000).nullish(),
})

export const versionsContract = definePartContract({
  errors: { name_taken: 409, version_is_current: 409 },
  endpoints: {
    versions: {
      method: 'GET',
      path: '/:id/versions',
      access: 'dashboards:read',
      params: byId,
      query: inOrganization,
      result: dataPage(Version),
    },
    /** Makes the draft a version; with `current` it is what readers see. */
    createVersion: {
      method: 'POST',
      path: '/:id/versions',
      access: 'dashboards:read',
      params: byId,
      query: inOrganization,
      body: named.extend({ current: z.boolean().default(false) }),
      result: Version,
      status: 201,
    },
    version: {
      method: 'GET',
      path: '/:id/versions/:version',
      access: 'dashboards:read',
      params: ofVersion,
      query: inOrganization,
      result: Version.extend({ json: z.string() }),
    },
    /** Changes its name and note; what is in it never changes. */
    updateVersion: {
      method: 'PATCH',
      path: '/:id/versions/:version',
      access: 'dashboards:read',
      params: ofVersion,
      query: inOrganization,
      body: named,
      result: Version,
    },
    deleteVersion: {
      method: 'DELETE',
      path: '/:id/versions/:version',
      access: 'dashboards:read',
      params: ofVersion,
      query: inOrganization,
      result: z.undefined(),
    },
    makeVersionCurrent: {
      method: 'POST',
      path: '/:id/versions/:version/current',
      access: 'dashboards:read',
      params: ofVersion,
      query: inOrganization,
      body: z.object({}).default({}),
      result: Version,
    },
    /** A new version with what is in this one, which the draft becomes too. */
    deriveVersion: {
      method: 'POST',
      path: '/:id/versions/:version/derived',
      access: 'dashboards:read',
      params: ofVersion,
      query: inOrganization,
      body: named.default({}),
      result: Version,
      status: 201,
    },
    /** Changes that make the second version of the first; `DRAFT` is the draft. */
    versionDifference: {
      method: 'GET',
      path: '/:id/versions/:version/diff/:other',
      access: 'dashboards:read',
      costly: true,
      params: ofVersion.extend({ other: z.string().max(60) }),
      query: inOrganization,
      result: z.object({ changes: z.array(Change) }),
    },
  },
})
