import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { inOrganization, ms } from '../asked-contract.ts'

/** Days for which closed alarms are kept: three years, unless an organization says otherwise. */
export const keepDays = { least: 30, most: 3_660, usual: 1_095 }

const days = z.int().min(keepDays.least).max(keepDays.most)
const classes = z.array(z.string().trim().min(1).max(200)).max(100)

/** Settings of an organization; a field that is null is as in the nearest organization above that has it. */
const own = { keepDays: days.nullable(), noteClasses: classes.nullable() }

const AlarmSettings = z.object({
  ...own,
  /** Settings that hold here, and the organizations they come from; null for the default. */
  effective: z.object({
    keepDays: days,
    keepDaysFrom: z.string().nullable(),
    noteClasses: classes,
    noteClassesFrom: z.string().nullable(),
  }),
  changedAt: ms.nullable(),
  changedBy: z.string().nullable(),
})

export const settingsContract = definePartContract({
  endpoints: {
    alarmSettings: {
      method: 'GET',
      path: '/settings',
      access: 'alarms:read',
      query: inOrganization,
      result: AlarmSettings,
    },
    saveAlarmSettings: {
      method: 'PUT',
      path: '/settings',
      access: 'organizations:update',
      query: inOrganization,
      body: z.object(own),
      result: AlarmSettings,
    },
  },
})
