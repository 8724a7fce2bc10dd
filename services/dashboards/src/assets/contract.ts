import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, inOrganization, ms } from '../asked-contract.ts'
import { assetName } from './asset-name-contract.ts'

/** Largest piece of an upload in bytes. */
export const largestPiece = 8 * 1024 * 1024
/** Header of a piece with the place of its first byte, and of the answer with that of the next. */
export const offsetHeader = 'upload-offset'
/** Most files of a dashboard. */
export const mostAssets = 500

/** File of a dashboard. The addresses hold for an hour at least. */
export const Asset = z.object({
  name: z.string(),
  /** Media type of what is kept: pictures are WebP, whatever was sent. */
  type: z.string(),
  bytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  widgetId: z.string().nullable(),
  url: z.string(),
  /** Picture of at most 320 px. */
  previewUrl: z.string().nullable(),
  uploadedBy: z.string(),
  uploadedAt: ms,
})

/** Part of a drawing that was left out, as it could run or load something. */
const Loss = z.object({
  kind: z.enum(['element', 'attribute', 'property', 'rule', 'doctype']),
  name: z.string(),
  count: z.int(),
})

const UploadedAsset = Asset.extend({ dashboardId: z.uuid(), losses: z.array(Loss) })

const widgetId = z.string().max(120)

const Upload = z.object({
  id: z.uuid(),
  name: z.string(),
  bytes: z.int(),
  /** Place of the next byte that is expected. */
  offset: z.int(),
  /** Until then it can be continued. */
  until: ms,
})

const read = { access: 'dashboards:read', query: inOrganization } as const
const upload = { ...read, params: z.object({ upload: z.uuid() }) } as const
const named = { ...read, params: byId.extend({ name: assetName }) } as const

export const assetsContract = definePartContract({
  errors: {
    asset_not_found: 404,
    /** The time of the address is over; `asset urls` gives a new one. */
    asset_link_over: 410,
    /** `details.limit` are the most bytes of such a file. */
    asset_too_large: 413,
    /** The file is of no type that is taken, or not of the one that its name says. */
    asset_type: 422,
    /** The picture or drawing cannot be read, or would be too large to show. */
    asset_broken: 422,
    too_many_assets: 422,
    /** `details` are used, reserved and limit in bytes. */
    storage_full: 422,
    /** `details.offset` is the place of the next byte that is expected. */
    upload_offset: 409,
    upload_incomplete: 409,
    too_many_uploads: 429,
    /** The body is not what the call expects: one file in multipart/form-data, or the bytes of a piece. */
    upload_invalid: 400,
  },
  endpoints: {
    assetStorage: {
      method: 'GET',
      path: '/assetstorage',
      base: '/svc/mappings/api/v1',
      ...read,
      result: z.object({
        /** Files can be written at present. */
        enabled: z.boolean(),
        longreach: z.object({ usedBytes: z.int(), reservedBytes: z.int(), limitBytes: z.int() }),
      }),
    },
    assets: {
      method: 'GET',
      path: '/:id/assets',
      ...read,
      params: byId,
      result: z.array(Asset),
    },
    assetUrl: { method: 'GET', path: '/:id/assets/:name/url', ...named, result: z.string() },
    /** Addresses of many files; null for names that the dashboard does not have. */
    assetUrls: {
      method: 'POST',
      path: '/:id/assets/urls',
      ...read,
      reads: true,
      params: byId,
      body: z.object({ names: z.array(assetName).max(200) }),
      result: z.object({
        urls: z.array(z.object({ name: z.string(), url: z.string().nullable() })),
        until: ms,
      }),
    },
    deleteAsset: { method: 'DELETE', path: '/:id/assets/:name', ...named, result: z.undefined() },
    /** Begins an upload in pieces, which can be continued for 24 hours. */
    startAssetUpload: {
      method: 'POST',
      path: '/assets/uploads',
      ...read,
      // The file has an entry once it is there.
      audit: 'own',
      body: z.object({
        name: assetName,
        bytes: z.int().min(1).max(2_147_483_647),
        dashboardId: z.uuid(),
        widgetId: widgetId.nullish(),
      }),
      result: Upload,
      status: 201,
    },
    assetUpload: { method: 'GET', path: '/assets/uploads/:upload', ...upload, result: Upload },
    finishAssetUpload: {
      method: 'POST',
      path: '/assets/uploads/:upload/done',
      ...upload,
      body: z.object({}).default({}),
      result: UploadedAsset,
      status: 201,
    },
    cancelAssetUpload: {
      method: 'DELETE',
      path: '/assets/uploads/:upload',
      ...upload,
      audit: 'own',
      result: z.undefined(),
    },
  },
})
