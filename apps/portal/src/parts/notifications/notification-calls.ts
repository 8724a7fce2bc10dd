import type { Result } from '@longreach/kit/contract'
import { notificationsContract } from '@longreach/notifications/contract'
import { contractClient } from '../api/contract-client.ts'

/** Calls of notifications, apart from `api` so that only pages that show them load them. */
export const notificationsApi = contractClient(notificationsContract)

type Endpoints = (typeof notificationsContract)['endpoints']
export type InboxMessage = Result<Endpoints['inbox']>['data'][number]
export type Preferences = Result<Endpoints['preferences']>
export type NotificationRule = Result<Endpoints['notification']>
export type Channel = Result<Endpoints['channel']>
export type Delivery = Result<Endpoints['deliveries']>['data'][number]
export type Escalation = Result<Endpoints['escalations']>['data'][number]
export type Schedule = Result<Endpoints['schedules']>['data'][number]
export type Turn = Result<Endpoints['onCallNow']>['turns'][number]
export type Why = Result<Endpoints['why']>
export type PushBrowser = Result<Endpoints['push']>['subscriptions'][number]
