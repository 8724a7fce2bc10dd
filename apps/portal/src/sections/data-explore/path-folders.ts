import { shortPath } from '../../parts/devices/tags.ts'

/** A step of a model path: further steps, and what ends here. */
export type Folder<T> = {
  name: string
  /** Name in the model, when its leaves have one. */
  label?: string
  path: string
  folders: Folder<T>[]
  leaves: T[]
}

/** Paths as folders: `zone1/temperature` is a leaf in the folder `zone1`. The order stays. */
export function foldersOf<T extends { path: string; group?: string }>(
  leaves: readonly T[],
): Folder<T> {
  const root: Folder<T> = { name: '', path: '', folders: [], leaves: [] }
  for (const leaf of leaves) {
    const steps = shortPath(leaf.path).split('/').slice(0, -1)
    let folder = root
    for (const name of steps) {
      const path = folder.path === '' ? name : `${folder.path}/${name}`
      let next = folder.folders.find((one) => one.name === name)
      if (!next) {
        next = { name, path, folders: [], leaves: [] }
        folder.folders.push(next)
      }
      folder = next
    }
    if (folder !== root && leaf.group !== undefined) folder.label ??= leaf.group
    folder.leaves.push(leaf)
  }
  return root
}
