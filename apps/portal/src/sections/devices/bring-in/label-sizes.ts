/** Sheets of labels on A4, in mm, as stationers sell them. */
export const labelSizes = {
  '70x37': { width: 70, height: 37, columns: 3, rows: 8, top: 0.5, left: 0, gap: 0 },
  '63.5x38.1': { width: 63.5, height: 38.1, columns: 3, rows: 7, top: 15.15, left: 7.25, gap: 2.5 },
  '99.1x38.1': { width: 99.1, height: 38.1, columns: 2, rows: 7, top: 15.15, left: 4.65, gap: 2.5 },
  '99.1x67.7': { width: 99.1, height: 67.7, columns: 2, rows: 4, top: 13.1, left: 4.65, gap: 2.5 },
} as const
type LabelSize = keyof typeof labelSizes
export const sizeNames = Object.keys(labelSizes) as LabelSize[]

/** Content of a label; without a key its code leads to the device's page. */
export type Label = {
  deviceId: string
  label: string
  serialNumber: string
  activationKey: string
}

/** The labels sheet by sheet; the first `skip` places of the first sheet are used up already. */
export function sheetsOf(labels: readonly Label[], size: LabelSize, skip: number) {
  const { columns, rows } = labelSizes[size]
  const most = columns * rows
  const places = [...Array.from({ length: skip % most }, () => undefined), ...labels]
  return Array.from({ length: Math.ceil(places.length / most) }, (_, sheet) =>
    places.slice(sheet * most, (sheet + 1) * most),
  )
}
