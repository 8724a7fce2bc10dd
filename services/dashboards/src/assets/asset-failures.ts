import { failure } from '@longreach/kit/errors'
import { dashboardsContract } from '../contract.ts'
import type { UploadRow } from '../database.ts'
import { assetEndings } from './asset-name-contract.ts'

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`

export const noAsset = (name: string) =>
  failure(dashboardsContract, 'asset_not_found', {
    message: `The dashboard has no file ${name}`,
    field: 'name',
  })

export const noUpload = (id: string) =>
  failure(dashboardsContract, 'asset_not_found', {
    message: `There is no upload ${id}. It may be complete, or have been given up: begin again.`,
    field: 'upload',
  })

export const wrongType = (name: string) =>
  failure(dashboardsContract, 'asset_type', {
    message: `${name} is no file of the type that its name says, or of none that is taken: ${assetEndings.join(', ')}.`,
    field: 'name',
    accepted: assetEndings,
  })

export const brokenAsset = (name: string, why: string) =>
  failure(dashboardsContract, 'asset_broken', {
    message: `${name} cannot be used: ${why}. Save it again in the program it was made with.`,
    field: 'name',
  })

export const tooLargeAsset = (name: string, limit: number) =>
  failure(dashboardsContract, 'asset_too_large', {
    message: `${name} may have at most ${megabytes(limit)}. Make it smaller.`,
    field: 'bytes',
    limit,
  })

export const tooManyAssets = (limit: number) =>
  failure(dashboardsContract, 'too_many_assets', {
    message: `A dashboard may have ${limit} files. Delete some.`,
    limit,
  })

export const tooManyUploads = (limit: number) =>
  failure(dashboardsContract, 'too_many_uploads', {
    message: `${limit} of your uploads are under way. Finish or cancel some.`,
    limit,
  })

export const busyUpload = () =>
  failure(dashboardsContract, 'too_many_uploads', {
    message: 'Another piece of this upload is being received. Send one after the other.',
    retryAfterS: 1,
  })

export const storageFull = (numbers: {
  used: number
  reserved: number
  limit: number
  bytes: number
}) =>
  failure(dashboardsContract, 'storage_full', {
    message: `The file would take ${megabytes(numbers.bytes)}, and of ${megabytes(numbers.limit)} the organization uses ${megabytes(numbers.used)} and has ${megabytes(numbers.reserved)} in uploads. Delete files that are not needed.`,
    field: 'bytes',
    ...numbers,
  })

export const wrongOffset = ({ received, bytes }: UploadRow) =>
  failure(dashboardsContract, 'upload_offset', {
    message: `The upload has ${received} of ${bytes} bytes: send the next piece from there, and no more than is missing.`,
    field: 'upload-offset',
    offset: received,
    bytes,
  })

export const incomplete = ({ received, bytes }: UploadRow) =>
  failure(dashboardsContract, 'upload_incomplete', {
    message: `The upload has ${received} of ${bytes} bytes. Send the rest first.`,
    offset: received,
    bytes,
  })

export const invalidUpload = (message: string, field = 'body') =>
  failure(dashboardsContract, 'upload_invalid', { message, field })
