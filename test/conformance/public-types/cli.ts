/** Every promised type of the subpath: there is none. */
export type {};
