let coming: Promise<unknown> = Promise.resolve()

/** Notes that the files of the first page are loading; less urgent requests wait for them. */
export function holdForFirstPage(files: Promise<unknown>) {
  coming = files.catch(() => undefined) // told where it is needed
}

/** Settles when the files of the first page are loaded or failed. */
export const firstPageIsHere = () => coming
