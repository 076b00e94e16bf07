/** Written in by the bundler (`scripts/bundle-functions.mjs`): the hash of everything the functions are made of. */
declare const ARCHMAX_RELEASE: string;

/** Names this build. Two bundles of the same sources have the same name. */
export const RELEASE: string = ARCHMAX_RELEASE;
