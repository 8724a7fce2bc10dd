/** Narrower, the legend has two lines, and stands over what says where the map is from. */
const narrow = 600

/** Kept free around what is looked at as a whole: the legend and the names of devices have their place. */
export const roomIn = (width: number) => ({
  top: 48,
  right: 72,
  bottom: width < narrow ? 122 : 84,
  left: 56,
})
