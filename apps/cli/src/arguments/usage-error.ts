export * from "@pawl/config/usage-error"
