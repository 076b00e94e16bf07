/** The package's version, as written into a session's `metadata.json`. */
export const PACKAGE_VERSION = "0.1.0";
