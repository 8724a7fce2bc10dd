import type { Secrets } from '@longreach/kit/secrets'
import type { z } from 'zod'
import type { AssetRow } from '../database.ts'
import { addressOf, addressUntilS } from './asset-address.ts'
import type { Asset } from './contract.ts'

/** Path of a file that is valid for an hour at least. */
export const urlOfAsset = (
  secrets: Secrets,
  row: Pick<AssetRow, 'sha256' | 'name' | 'org'>,
  now: Date,
) => addressOf(secrets, { ...row, sha256: row.sha256.toString('hex') }, addressUntilS(now))

/** File of a dashboard as calls answer it. */
export const toAsset = (secrets: Secrets, row: AssetRow, now: Date): z.input<typeof Asset> => ({
  name: row.name,
  type: row.type,
  bytes: row.bytes,
  width: row.width,
  height: row.height,
  widgetId: row.widget || null,
  url: urlOfAsset(secrets, row, now),
  previewUrl:
    row.preview_sha256 && urlOfAsset(secrets, { ...row, sha256: row.preview_sha256 }, now),
  uploadedBy: row.by,
  uploadedAt: row.at.getTime(),
})
