import { definePartContract, rowId } from '@longreach/kit/contract'
import { z } from 'zod'
import { inOrganization, ms } from '../asked-contract.ts'

/** Lists of alarms that have views. */
const viewLists = z.enum(['open', 'history', 'shelved'])
export type ViewList = z.output<typeof viewLists>

const Content = z
  .object({
    list: viewLists,
    /** Query string of the list's address, as plain texts. */
    filters: z.record(z.string().min(1).max(40), z.string().max(2_000)),
    /** Columns that are on or off, where they are not as usual. */
    columns: z.record(z.string().min(1).max(40), z.boolean()).default({}),
  })
  .refine((content) => JSON.stringify(content).length <= 10_000, 'is longer than a view may be')

/** Saved view of a list of alarms. */
export const AlarmView = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Everybody of the organization who may read alarms sees it; else its author alone. */
  shared: z.boolean(),
  content: Content,
  author: z.string(),
  mine: z.boolean(),
  mayChange: z.boolean(),
  /** The caller's list of this kind begins with it. */
  isDefault: z.boolean(),
  version: z.int(),
  updatedAt: ms,
})
export type AlarmView = z.output<typeof AlarmView>

const fields = {
  name: z.string().trim().min(1).max(120),
  shared: z.boolean().default(false),
  content: Content,
}
const NewView = z.object(fields)
export type NewView = z.output<typeof NewView>

const id = z.object({ id: z.uuid() })
const ofView = { params: id, query: inOrganization } as const

export const viewsContract = definePartContract({
  errors: {
    view_name_taken: 409,
    /** Somebody changed it in the meantime. */
    view_changed: 409,
    too_many_views: 422,
    /** Sharing, and changing what others made, takes the right to update alarms. */
    view_not_yours: 403,
  },
  endpoints: {
    alarmViews: {
      method: 'GET',
      path: '/views',
      access: 'alarms:read',
      query: inOrganization,
      result: z.object({ data: z.array(AlarmView) }),
    },
    createAlarmView: {
      method: 'POST',
      path: '/views',
      access: 'alarms:read',
      query: inOrganization,
      body: NewView,
      result: AlarmView,
      status: 201,
    },
    /** `version` is the one that was changed. */
    updateAlarmView: {
      method: 'PUT',
      path: '/views/:id',
      access: 'alarms:read',
      ...ofView,
      body: NewView.extend({ version: rowId }),
      result: AlarmView,
    },
    deleteAlarmView: {
      method: 'DELETE',
      path: '/views/:id',
      access: 'alarms:read',
      ...ofView,
      result: z.undefined(),
    },
    /** View with which the caller's list of its kind begins; null for none, of the list that is named. */
    setDefaultAlarmView: {
      method: 'PUT',
      path: '/views/default',
      access: 'alarms:read',
      query: inOrganization,
      body: z.object({ id: z.uuid().nullable(), list: viewLists.default('open') }),
      result: z.undefined(),
    },
  },
})
