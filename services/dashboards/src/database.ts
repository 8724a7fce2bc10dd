import type { JSONColumnType, Selectable } from 'kysely'
import type { Change } from '@longreach/board/change'

type Json<T extends object> = JSONColumnType<T>
type JsonOrNull = JSONColumnType<Record<string, unknown> | null, string | null, string | null>

type ItemKind = 'DASHBOARD' | 'WIDGET'
export type SharePermission = 'r' | 'r/w'

type ItemTable = {
  id: string
  kind: ItemKind
  org: string
  realm: string
  name: string
  description: string
  owner: string
  owner_name: string
  card_style: JsonOrNull
  manifest: JsonOrNull
  parent: string | null
  current_version: string
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  deleted_by: string | null
}
export type ItemRow = Selectable<ItemTable>

type ShareTable = {
  item: string
  name: string
  sub: string | null
  permission: SharePermission
  by: string
  at: Date
}
export type ShareRow = Selectable<ShareTable>

type VersionTable = {
  item: string
  name: string
  number: number
  sha256: Buffer
  note: string
  author: string
  at: Date
  updated_at: Date
  derived_from: string | null
}
export type VersionRow = Selectable<VersionTable>

type DraftTable = {
  item: string
  base: string
  revision: number
  snapshot: string
  snapshot_revision: number
  is_foreign: boolean
}
export type DraftRow = Selectable<DraftTable>

type DraftChangeTable = {
  item: string
  revision: number
  session: string
  seq: number
  author: string
  author_name: string
  label: string
  changes: Json<Change[]>
  inverse: Json<Change[]>
  at: Date
}
export type DraftChangeRow = Selectable<DraftChangeTable>

type AssetTable = {
  item: string
  name: string
  org: string
  widget: string
  sha256: Buffer
  type: string
  bytes: number
  preview_sha256: Buffer | null
  preview_bytes: number
  width: number | null
  height: number | null
  by: string
  at: Date
}
export type AssetRow = Selectable<AssetTable>

type UploadTable = {
  id: string
  item: string
  org: string
  name: string
  widget: string
  bytes: number
  received: number
  owner: string
  at: Date
}
export type UploadRow = Selectable<UploadTable>

/** Tables of dashboards, as its migrations create them. */
export type DashboardsDb = {
  item: ItemTable
  share: ShareTable
  document: { sha256: Buffer; text: string }
  version: VersionTable
  draft: DraftTable
  draft_change: DraftChangeTable
  asset: AssetTable
  upload: UploadTable
}
