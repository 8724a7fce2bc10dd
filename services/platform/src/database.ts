import type { AgentDb } from './agents/agent-store.ts'
import type { PlatformDb } from './devices/device-state-store.ts'
import type { ExportDb } from './exports/export-store.ts'
import type { LineDb } from './lines/line-tables.ts'
import type { PairingDb } from './pairing/pairing-tables.ts'
import type { ReceivedDb } from './devices/received-counts.ts'
import type { ReleaseDb } from './releases/release-key.ts'
import type { RetentionDb } from './storage/retention-store.ts'
import type { RuleDb } from './rules/rule-tables.ts'
import type { ViewDb } from './views/view-store.ts'
import type { WriteBackDb } from './writes/write-back-tables.ts'
import type { WriteDb } from './writes/write-request-store.ts'

/** The tables of all parts: a transaction may change several. */
export type ServiceDb = AgentDb &
  ExportDb &
  LineDb &
  PairingDb &
  PlatformDb &
  ReceivedDb &
  ReleaseDb &
  RetentionDb &
  RuleDb &
  ViewDb &
  WriteBackDb &
  WriteDb
